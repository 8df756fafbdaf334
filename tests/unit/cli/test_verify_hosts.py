"""`nettool verify --hosts`: a file that is no use is told before any switch is asked."""


def test_a_missing_or_binary_file_is_told_before_any_switch_is_asked(nettool, tmp_path):
    code, _, err = nettool("verify", "rail-only-128", "--hosts", tmp_path / "none.yaml")
    assert (code, "none.yaml: No such file or directory" in err) == (64, True)
    (tmp_path / "odd.json").write_bytes(b"\xff\xfe\x00")
    code, out, _ = nettool("verify", "rail-only-128", "--hosts", tmp_path / "odd.json")
    assert (code, "SRC003" in out) == (1, True)
