# tests/servers/prepare.bash
#
# Brings the servers that tests run into build/servers: Node.js 20 where the machine's is older or
# not there, npm packages as the lock files pin them, and moto. A second run does nothing.
#
# Sourced after fixtures/prepare.bash. Where something cannot be had, the tests that need it are
# skipped aloud; with CI set that is a failure. IDXFSCK_SKIP_INSTALL=1 installs nothing.

servers_here="$root/tests/servers"
servers_built="${IDXFSCK_SERVERS:-$root/build/servers}"

# Whether the named program is a Node.js that the servers run on.
node_is_new_enough() {
    "$1" -e 'process.exit(Number(process.versions.node.split(".")[0]) >= 20 ? 0 : 1)' 2>/dev/null
}

# Installs what tests/servers/NAME pins into build/servers/NAME. What is there already is known by
# the lock file beside it, which is copied last.
install_npm() {
    local name=$1
    local from="$servers_here/$name" to="$servers_built/$name"
    ! cmp --silent "$from/package-lock.json" "$to/installed.lock" || return 0
    printf 'Installing the npm packages of tests/servers/%s\n' "$name"
    mkdir -p "$to" && cp "$from/package.json" "$from/package-lock.json" "$to/" &&
        npm ci --prefix "$to" --ignore-scripts --prefer-offline --no-audit --no-fund \
            --loglevel=error >"$to/install.log" 2>&1 &&
        cp "$to/package-lock.json" "$to/installed.lock" && return 0
    [[ ! -f "$to/install.log" ]] || tail -n 5 "$to/install.log" >&2
    return 1
}

install_node() {
    command -v npm >/dev/null || (install_packages "$servers_here/packages-node.txt") || return 1
    node_is_new_enough node || install_npm node || return 1
    node_is_new_enough node ||
        node_is_new_enough "$(echo "$servers_built"/node/node_modules/node-linux-*/bin/node)"
}

# Installs what tests/servers/moto/requirements.txt pins into a Python environment of its own.
install_moto() {
    local from="$servers_here/moto/requirements.txt" to="$servers_built/moto"
    ! cmp --silent "$from" "$to/installed.lock" || return 0
    printf 'Installing the Python packages of tests/servers/moto\n'
    python3 -c 'import ensurepip, venv' 2>/dev/null ||
        (install_packages "$servers_here/packages-python.txt") || return 1
    mkdir -p "$servers_built" && python3 -m venv --clear "$to" &&
        "$to/bin/pip" install --quiet --no-input --disable-pip-version-check \
            --only-binary :all: --requirement "$from" >"$to/install.log" 2>&1 &&
        cp "$from" "$to/installed.lock" && return 0
    [[ ! -f "$to/install.log" ]] || tail -n 5 "$to/install.log" >&2
    return 1
}

# Says what cannot be had; with CI set, ends the run.
server_is_missing() {
    [[ -z ${CI:-} ]] || fail "$1 could not be installed" \
        "look at the network and at the settings of npm and pip"
    printf 'SKIPPED: %s could not be installed; the tests that need it are skipped\n' "$1" >&2
}

prepare_servers() {
    [[ -z ${IDXFSCK_SKIP_INSTALL:-} ]] || return 0
    install_moto || server_is_missing "moto"
    install_node || { server_is_missing "Node.js 20"; return 0; }
    install_npm dynamodb || server_is_missing "dynalite"
    install_npm azurite || server_is_missing "azurite"
}
