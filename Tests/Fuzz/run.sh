#!/bin/bash
# Fuzzes one target with libFuzzer and AddressSanitizer: run.sh archive|http|restore SECONDS
# The learned inputs are kept in .build-fuzz/TARGET/corpus, and failing inputs in .build-fuzz/TARGET.
# The first inputs come from Tests/Fuzz/seeds/TARGET and, if PLACEKEEPER_CORPORA is set, from public files.
set -euo pipefail
cd "$(dirname "$0")/../.."

usage() { echo "usage: Tests/Fuzz/run.sh archive|http|restore SECONDS" >&2; exit 2; }
[ $# -eq 2 ] || usage
target=$1 seconds=$2
corpora=${PLACEKEEPER_CORPORA:-}
seeds=()
modules=()
[ ! -d "Tests/Fuzz/seeds/$target" ] || seeds+=("Tests/Fuzz/seeds/$target")
case $target in
archive)
    mapfile -t sources < <(find Sources/PlacekeeperArchive Tests/Fuzz/ArchiveReaderFuzz.swift -name '*.swift' | sort)
    longest=65536
    for folder in keyed-archives/swift-corelibs-foundation keyed-archives/rust-plist hostile-plists; do
        [ -z "$corpora" ] || seeds+=("$corpora/$folder")
    done
    ;;
http)
    mapfile -t sources < <(find Sources/PlacekeeperHTTP Tests/Fuzz/HTTPDecoderFuzz.swift -name '*.swift' | sort)
    longest=16384
    ;;
restore)
    modules=(
        PlacekeeperArchive:Sources/PlacekeeperArchive PlacekeeperAlignment:Sources/PlacekeeperAlignment
        PlacekeeperModels:Sources/PlacekeeperModels PlacekeeperRuntime:Sources/PlacekeeperRuntime
        PlacekeeperStandIns:Sources/PlacekeeperStandIns PlacekeeperSampleApps:Tests/PlacekeeperSampleApps
    )
    sources=(Tests/Fuzz/RestoreFuzz.swift)
    longest=65536
    ;;
*) usage ;;
esac

work=.build-fuzz/$target
mkdir -p "$work/corpus"
compile() {
    swiftc -O -g -wmo -swift-version 6 -enable-upcoming-feature ExistentialAny \
        -enable-upcoming-feature InternalImportsByDefault -enable-upcoming-feature MemberImportVisibility \
        -enable-upcoming-feature NonisolatedNonsendingByDefault \
        -parse-as-library -package-name placekeeper -sanitize=fuzzer,address -I "$work" "$@"
}
# Modules are compiled before the modules that import them.
objects=()
for module in ${modules[@]+"${modules[@]}"}; do
    name=${module%%:*}
    mapfile -t files < <(find "${module#*:}" -name '*.swift' | sort)
    compile -c -emit-module -emit-module-path "$work/$name.swiftmodule" -module-name "$name" "${files[@]}" \
        -o "$work/$name.o"
    objects+=("$work/$name.o")
done
compile -module-name Fuzz "${sources[@]}" ${objects[@]+"${objects[@]}"} -o "$work/fuzz"
# The folders of seeds are only read. libFuzzer writes to the first folder.
exec "$work/fuzz" -max_total_time="$seconds" -timeout=60 -rss_limit_mb=1024 -max_len=$longest \
    -artifact_prefix="$work/" -print_final_stats=1 "$work/corpus" ${seeds[@]+"${seeds[@]}"}
