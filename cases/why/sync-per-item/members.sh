# Imports members into a database.
import() {
    echo "CREATE TABLE members (number, name);"
    seq 1 150 | sed "s/.*/INSERT INTO members VALUES (&, 'name &');/"
    echo "SELECT count(*) FROM members;"
}
import | sqlite3 "$1"
