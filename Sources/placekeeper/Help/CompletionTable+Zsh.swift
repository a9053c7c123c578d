extension CompletionTable {
    /// The script for zsh, either as a file named `_placekeeper` in `fpath`, or for `source`.
    var zsh: String {
        let branches = branches.map { branch in
            let words = branch.words.map { "\($0.word):\($0.summary)".inSingleQuotes }.joined(separator: " ")
            return "        (\(branch.start.inSingleQuotes)) next=(\(words)) ;;"
        }
        let arguments = subcommands.map { subcommand in
            let options = subcommand.allOptions.map(Self.specification(of:))
            let operands = "*:argument:" + Self.zsh(Self.offer(for: subcommand))
            let words = (options + [operands]).map(\.inSingleQuotes).joined(separator: " ")
            return "        (\(subcommand.name.inSingleQuotes)) arguments=(\(words)) ;;"
        }
        return """
            #compdef placekeeper
            # Completion of placekeeper for zsh. Made by placekeeper completions zsh.
            _placekeeper() {
                local command= topic= name
                local -a next arguments
                integer i=2
                # placekeeper help app create
                if (( CURRENT > 2 )) && [[ $words[2] == help || ( $words[2] == man && -z ${(M)words[3,CURRENT]:#-*} ) ]]; then
                    topic=1 i=3
                fi
                while (( i < CURRENT )); do
                    name=${command:+$command }$words[i]
                    case $name in
                    (\(starts.map(\.inSingleQuotes).joined(separator: " | "))) command=$name ;;
                    (*) break ;;
                    esac
                    (( i++ ))
                done
                case $command in
            \(branches.joined(separator: "\n"))
            \(arguments.joined(separator: "\n"))
                esac
                if (( $#next )); then
                    (( i == CURRENT )) && _describe command next
                elif [[ -z $topic ]]; then
                    words=("$command" "${(@)words[i,-1]}")
                    (( CURRENT -= i - 2 ))
                    _arguments -S : $arguments
                fi
            }
            if [[ $funcstack[1] == _placekeeper ]]; then
                _placekeeper "$@"
            else
                compdef _placekeeper placekeeper
            fi

            """
    }

    /// Returns the option in the format of `_arguments`.
    private static func specification(of option: Option) -> String {
        let text = option.help.map { "[]:\\".contains($0) ? "\\\($0)" : String($0) }.joined()
        let name = "\(option.repeats ? "*" : "")--\(option.name)"
        guard let value = option.value else { return "\(name)[\(text)]" }
        return "\(name)=[\(text)]:\(value):\(zsh(offer(for: option)))"
    }

    private static func zsh(_ offer: Offer) -> String {
        switch offer {
        case .nothing: " "
        case .file: "_files"
        case .directory: "_files -/"
        case .words(let words): "(\(words.joined(separator: " ")))"
        }
    }
}
