extension CompletionTable {
    /// The script for bash. It needs no other package.
    var bash: String {
        let branches = branches.map { branch in
            let words = branch.words.map(\.word).joined(separator: " ")
            return "        \(branch.start.inSingleQuotes)) words=\(words.inSingleQuotes) ;;"
        }
        let options = subcommands.map { subcommand in
            let names = subcommand.allOptions.map { "--" + $0.name }.joined(separator: " ")
            return "        \(subcommand.name.inSingleQuotes)) words=\(names.inSingleQuotes) options=1 ;;"
        }
        return """
            # Completion of placekeeper for bash. Made by placekeeper completions bash.
            _placekeeper() {
                local cur=${COMP_WORDS[COMP_CWORD]} command= option= words= options= topic= name i=1 IFS=$'\\n'
                COMPREPLY=()
                # placekeeper help app create
                if ((COMP_CWORD > 1)) && [[ ${COMP_WORDS[1]} == help || ${COMP_WORDS[1]} == man ]]; then
                    topic=${COMP_WORDS[1]} i=2
                fi
                while ((i < COMP_CWORD)); do
                    name=${command:+$command }${COMP_WORDS[i]}
                    case $name in
                    \(starts.map(\.inSingleQuotes).joined(separator: " | "))) command=$name ;;
                    *) break ;;
                    esac
                    ((i++))
                done
                case $command in
            \(branches.joined(separator: "\n"))
            \(options.joined(separator: "\n"))
                esac
                if [[ $topic && $options ]]; then
                    words= options=
                fi
                if [[ $topic == man && $cur == -* ]]; then
                    words='--output --help' options=1
                fi
                # --log=all is three words here.
                if [[ $cur == '=' ]]; then
                    cur= option=${COMP_WORDS[COMP_CWORD-1]}
                elif ((COMP_CWORD > i)) && [[ ${COMP_WORDS[COMP_CWORD-1]} == '=' ]]; then
                    option=${COMP_WORDS[COMP_CWORD-2]}
                elif ((COMP_CWORD > i)) || [[ $topic ]]; then
                    option=${COMP_WORDS[COMP_CWORD-1]}
                fi
                case "${topic:-$command} $option" in
            \(bashCases)
                esac
                if [[ $options && $cur != -* ]]; then
                    case $command in
            \(bashOperands)
                    esac
                fi
                COMPREPLY=($(compgen -W "${words// /$'\\n'}" -- "$cur"))
            }
            complete -F _placekeeper placekeeper

            """
    }

    /// The cases of the options with a value.
    private var bashCases: String {
        var lines: [String] = []
        var known: [String: Offer] = [:]
        for subcommand in subcommands {
            for option in subcommand.allOptions where option.value != nil {
                let offer = Self.offer(for: option)
                let first = known[option.name]
                if first == nil { known[option.name] = offer }
                guard first != offer else { continue }
                let pattern = ((first == nil ? "* " : subcommand.name + " ") + "--" + option.name).bashPattern
                let line = "        \(pattern)) \(Self.bash(offer)); return ;;"
                // A case for one command must come before the case for all commands.
                if first == nil { lines.append(line) } else { lines.insert(line, at: 0) }
            }
        }
        return lines.joined(separator: "\n")
    }

    private var bashOperands: String {
        subcommands.compactMap { subcommand in
            let offer = Self.offer(for: subcommand)
            return offer == .nothing
                ? nil : "        \(subcommand.name.inSingleQuotes)) \(Self.bash(offer)); return ;;"
        }.joined(separator: "\n")
    }

    private static func bash(_ offer: Offer) -> String {
        switch offer {
        case .nothing: ":"
        case .file: "compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- \"$cur\"))"
        case .directory: "compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- \"$cur\"))"
        case .words(let words): "COMPREPLY=($(compgen -W $'\(words.joined(separator: "\\n"))' -- \"$cur\"))"
        }
    }
}

extension String {
    /// The text as a pattern in which only a leading `*` is special.
    fileprivate var bashPattern: String {
        hasPrefix("*") ? "*" + String(dropFirst()).inSingleQuotes : inSingleQuotes
    }
}
