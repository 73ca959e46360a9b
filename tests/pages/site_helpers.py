"""How a test asks a site."""

from __future__ import annotations

from starlette.testclient import TestClient

from pages.guard import Access
from pages.site import make_site
from pages.workshop import Limits

PORT = 8642
HOME = f"http://localhost:{PORT}"


def client_of(access: Access, limits: Limits | None = None) -> TestClient:
    """A browser that asks a site by its own name, and follows no link by itself."""
    return TestClient(make_site(access, limits or Limits()), base_url=HOME, follow_redirects=False)
