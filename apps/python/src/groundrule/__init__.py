"""Whether plots of land comply with a ruleset, and on what evidence: the groundrule command, called from Python."""
