"""What the templates are filled with: a table group a file, rows of CONFIG_DB strings or None."""
