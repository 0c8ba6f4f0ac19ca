"""`python -m groundrule`: the command itself."""

from groundrule._program import main

main()
