# Sourced by scripts that run Node.js; they define a function fail.

# need_packages PACKAGE... : installs packages of the distribution, as root on Debian.
need_packages() {
  command -v apt-get >/dev/null || fail "needs $*. Install them."
  [[ $(id -u) -eq 0 ]] || fail "needs $*: apt-get install $*"
  printf 'installing %s with apt-get\n' "$*" >&2
  export DEBIAN_FRONTEND=noninteractive
  apt-get -q update >&2
  apt-get -q install -y --no-install-recommends "$@" >&2
}

# need_node DIRECTORY FILE... : copies the files or directories, with package.json and package-lock.json beside the
# first of them, to DIRECTORY, installs what the lock pins there, and goes there.
need_node() {
  local directory=$1 from
  shift
  from=$(dirname "$1")
  if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
    need_packages nodejs npm
  fi
  mkdir -p "$directory"
  cp -R "$from"/package.json "$from"/package-lock.json "$from"/.npmrc "$@" "$directory"
  cd "$directory"
  if ! cmp -s package-lock.json installed-lock.json; then
    npm ci --no-progress --loglevel=error >&2
    cp package-lock.json installed-lock.json
  fi
}
