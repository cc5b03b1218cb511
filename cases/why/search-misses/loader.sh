# Runs a program with the libraries of many packages.
for place in "$1"/*; do
    LD_LIBRARY_PATH=$LD_LIBRARY_PATH:$place
done
export LD_LIBRARY_PATH
exec bash -c 'echo hello'
