"""Copies the objects below a prefix into a folder: ``python mirror.py ENDPOINT BUCKET PREFIX FOLDER``."""

from __future__ import annotations

import sys
from pathlib import Path

import boto3


def main(endpoint: str, bucket: str, prefix: str, folder: Path) -> None:
    """Nothing else may be in the folder."""
    named = {"aws_access_key_id": "someone", "aws_secret_access_key": "something", "region_name": "us-east-1"}
    store = boto3.client("s3", endpoint_url=endpoint, **named)
    for page in store.get_paginator("list_objects_v2").paginate(Bucket=bucket, Prefix=prefix):
        for found in page.get("Contents", []):
            path = folder / found["Key"]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(store.get_object(Bucket=bucket, Key=found["Key"])["Body"].read())


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3], Path(sys.argv[4]))
