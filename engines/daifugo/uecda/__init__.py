"""Daihinmin over a network: protocol 20070 of the UECda contest. The core speaks it; docs/uecda.md says how."""
