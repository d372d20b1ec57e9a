#!/bin/sh
# nub workers as HyperQueue tasks: one for each array entry.
#
#   NUB_HUB=nats://me:PASSWORD@hub:4222 sh nub-workers.sh 8 16      # 8 workers with 16 cores each
#
# Run it from the folder whose nub.toml registers the programs; see docs/machines.md. `hq job cancel` ends them.
set -eu
: "${NUB_HUB:?set NUB_HUB to the address of the NATS server, nats://HOST:PORT}"
n_workers=${1:?how many workers}
n_cores=${2:-1}
exec hq submit --name nub-workers --array "1-$n_workers" --cpus "$n_cores" --cwd "$PWD" \
    --env "NUB_HUB=$NUB_HUB" ${NUB_CREDS:+--env "NUB_CREDS=$NUB_CREDS"} \
    sh -c 'exec nub worker --join "$NUB_HUB" --jobs '"$n_cores"' ${NUB_CREDS:+--nats-creds "$NUB_CREDS"}'
