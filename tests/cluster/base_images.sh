#!/bin/sh
# Images to build from where no registry of images is reached: Debian from its packages, the Rust of this machine.
# Needs root, debootstrap, buildah and podman. Their packages come from where this machine's come from.
set -eu
at_hand() { podman image exists "$1" || podman pull --quiet "docker.io/library/$1" 2>/dev/null; }
at_hand debian:bookworm-slim && at_hand rust:1.95-slim-bookworm && exit

work=$(mktemp --directory)
trap 'rm --recursive --force "$work"' EXIT

debootstrap --variant=minbase bookworm "$work/root" >"$work/log" || { tail "$work/log" >&2; exit 1; }
# Certificates that this machine trusts, which mirrors may need.
mkdir --parents "$work/root/etc/ssl/certs"
cp /etc/ssl/certs/ca-certificates.crt "$work/root/etc/ssl/certs/"
printf '[global]\ncert = /etc/ssl/certs/ca-certificates.crt\n' >"$work/root/etc/pip.conf"
tar --directory="$work/root" --exclude='./var/cache/apt/archives/*.deb' --create . |
    podman import --quiet - localhost/debian:bookworm-slim

container=$(buildah from localhost/debian:bookworm-slim)
buildah run "$container" -- sh -c '
    apt-get update -qq
    apt-get install -qq --no-install-recommends gcc libc6-dev >/dev/null
    rm -rf /var/lib/apt/lists/*
    mkdir /usr/local/rust'
buildah run --volume "$(rustc --print sysroot):/toolchain:ro" "$container" -- \
    cp --archive /toolchain/bin /toolchain/lib /usr/local/rust/
buildah config --env PATH=/usr/local/rust/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$container"
buildah commit --quiet --rm "$container" localhost/rust:1.95-slim-bookworm
