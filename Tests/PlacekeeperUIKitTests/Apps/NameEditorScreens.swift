import UIKit

/// The address book.
final class PeopleViewController: UITableViewController, UIDataSourceModelAssociation {
    let people: [Person]

    init(people: [Person]) {
        self.people = people
        super.init(style: .plain)
        title = "People"
        restorationIdentifier = "People"
    }

    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
        super.viewDidLoad()
        tableView.restorationIdentifier = "PeopleTable"
        clearsSelectionOnViewWillAppear = false
    }

    override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { people.count }

    override func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
        let cell = UITableViewCell(style: .default, reuseIdentifier: nil)
        let person = people[indexPath.row]
        cell.textLabel?.text = "\(person.firstName) \(person.lastName)"
        return cell
    }

    override func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
        navigationController?.pushViewController(PersonEditorViewController(people[indexPath.row]), animated: true)
    }

    func modelIdentifierForElement(at idx: IndexPath, in view: UIView) -> String? { people[idx.row].userID }

    func indexPathForElement(withModelIdentifier identifier: String, in view: UIView) -> IndexPath? {
        people.firstIndex { $0.userID == identifier }.map { IndexPath(row: $0, section: 0) }
    }
}

/// The editor of a person's name. Text under edit is not stored in the address book, so it is restorable state.
final class PersonEditorViewController: UIViewController {
    static let identifier = "PersonEditor"

    enum Key {
        static let userID = "UserID"
        static let editedText = "EditedText"
        static let editField = "EditField"
    }

    let firstNameField = UITextField()
    let lastNameField = UITextField()
    private let person: Person
    /// The field in which editing continues when the editor appears.
    private weak var fieldToEdit: UITextField?

    init(_ person: Person) {
        self.person = person
        super.init(nibName: nil, bundle: nil)
        title = "\(person.firstName) \(person.lastName)"
        restorationIdentifier = Self.identifier
        firstNameField.text = person.firstName
        firstNameField.restorationIdentifier = "FirstName"
        lastNameField.text = person.lastName
        lastNameField.restorationIdentifier = "LastName"
    }

    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
        super.viewDidLoad()
        view.addSubview(firstNameField)
        view.addSubview(lastNameField)
    }

    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        continueEditing()
    }

    private func continueEditing() {
        guard let field = fieldToEdit, field.window != nil else { return }
        fieldToEdit = nil
        field.becomeFirstResponder()
    }

    override func encodeRestorableState(with coder: NSCoder) {
        super.encodeRestorableState(with: coder)
        coder.encode(person.userID, forKey: Key.userID)
        let fields = [firstNameField, lastNameField]
        guard let active = fields.firstIndex(where: \.isFirstResponder) else {
            return coder.encode(Int32(0), forKey: Key.editField)
        }
        coder.encode(Int32(active + 1), forKey: Key.editField)
        coder.encode(fields[active].text, forKey: Key.editedText)
    }

    override func decodeRestorableState(with coder: NSCoder) {
        super.decodeRestorableState(with: coder)
        switch coder.decodeInteger(forKey: Key.editField) {
        case 1: fieldToEdit = firstNameField
        case 2: fieldToEdit = lastNameField
        default: return
        }
        fieldToEdit?.text = coder.decodeObject(of: NSString.self, forKey: Key.editedText) as String?
    }

    override func applicationFinishedRestoringState() { continueEditing() }
}

/// The options of the address book, in a fixed order. The data source has no model identifiers.
final class SortOptionsViewController: UITableViewController {
    private let names = [["First name", "Last name"], ["Ascending", "Descending", "By hand"]]

    override func viewDidLoad() {
        super.viewDidLoad()
        title = "Options"
        tableView.restorationIdentifier = "OptionTable"
        clearsSelectionOnViewWillAppear = false
    }

    override func numberOfSections(in tableView: UITableView) -> Int { names.count }

    override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
        names[section].count
    }

    override func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
        let cell = UITableViewCell(style: .default, reuseIdentifier: nil)
        cell.textLabel?.text = names[indexPath.section][indexPath.row]
        return cell
    }
}
