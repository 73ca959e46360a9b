"""Figures of a run while it goes on, for Prometheus and Grafana."""
