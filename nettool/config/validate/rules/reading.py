"""The reader's own rules: what keeps a file from being a CONFIG_DB at all."""

from nettool.config.validate.rule import reading_rules
from nettool.core.finding import Severity

_ERROR = Severity.ERROR

_SOURCES = {
    "JSN001": "RFC 8259 section 2; sonic-net/SONiC#279; sonic-net/sonic-buildimage#9499",
    "JSN002": "RFC 8259 section 4",
    "JSN003": "RFC 8259 section 2",
    "JSN004": "RFC 8259 section 8.1",
    "JSN005": "RFC 8259 section 6",
    "JSN006": "RFC 8259 section 2; sonic-net/sonic-buildimage#8119",
    "JSN007": "RFC 8259 section 9",
    "JSN009": "RFC 8259 section 8.1",
    "JSN010": "RFC 8259 section 9",
}
_STORED = "sonic-utilities 691b1bbc config/main.py; sonic-py-swsssdk src/swsssdk/configdb.py"
"""How the switch loads a file, and what it makes of values in Redis."""
_PAGES = (
    {
        "JSN001": (
            "not JSON", _ERROR,
            "A switch that loads a broken file stops half way or starts without a configuration.",
            "Mend the syntax at the place given.",
        ),
        "JSN002": (
            "a key stands twice in one object", _ERROR,
            "JSON readers keep the last of equal keys: the first is silently dropped.",
            "Keep one of the two.",
        ),
        "JSN003": (
            "a comment in JSON", _ERROR,
            "JSON has no comments; the whole file is refused.",
            "Remove the comment.",
        ),
        "JSN004": (
            "a byte-order mark", _ERROR,
            "Python's JSON reader on the switch refuses a file that begins with one.",
            "Save the file as UTF-8 without a byte-order mark.",
        ),
        "JSN005": (
            "NaN or Infinity", _ERROR,
            "They are no JSON numbers; some readers take them, and the value is nonsense.",
            "Write the value as text, or leave the field out.",
        ),
        "JSN006": (
            "a second JSON document", _ERROR,
            "Only one object can be loaded; which one would be used depends on the reader.",
            "Keep one object in a file.",
        ),
        "JSN007": (
            "too large", _ERROR,
            "The configuration of a switch of 512 ports has about one megabyte.",
            "Give the config_db.json of one switch.",
        ),
        "JSN008": (
            "not tables, rows and fields", _ERROR,
            "CONFIG_DB is an object of tables, each an object of rows, each an object of fields.",
            'Write {"TABLE": {"key": {"field": "value"}}}.',
        ),
        "JSN009": (
            "not UTF-8", _ERROR,
            "JSON is UTF-8; a file in another encoding is refused.",
            "Save the file as UTF-8.",
        ),
        "JSN010": (
            "nested too deep", _ERROR,
            "A CONFIG_DB has three levels, and lists in a fourth.",
            "Give tables, rows and fields.",
        ),
        "JSN011": (
            "a value that is no text", _ERROR,
            "Redis holds text. A JSON true becomes the word True, which daemons that look for "
            "true take as false, and null or an object has no form at all.",
            'Write "true", "false" or the text that is meant, or leave the field out.',
        ),
        "JSN012": (
            "a JSON number in place of text", Severity.INFO,
            "It is stored as text all the same, but files written by the switch quote it.",
            "Put the number into quotes.",
        ),
        "JSN013": (
            "a list where text is expected", Severity.ERROR,
            "The switch stores a list under another name (`lanes@`), and the daemon that looks for "
            "the field finds nothing.",
            "Write one text; lists within it are separated by commas.",
        ),
    }
)  # fmt: skip
for _id, _page in _PAGES.items():
    reading_rules({_id: _page}, _SOURCES.get(_id, _STORED))
