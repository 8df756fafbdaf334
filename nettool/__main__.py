"""`python -m nettool` is the command line."""

from nettool.cli.main import entry

if __name__ == "__main__":
    entry()
