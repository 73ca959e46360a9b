"""How a run goes, in numbers for Prometheus and Grafana."""
