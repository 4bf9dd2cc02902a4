"""moto's server on a free port of loopback; prints the port, and ends with its standard input.

Run by the Python that has moto: build/servers/moto/bin/python moto_server.py
"""

import os
import sys

from moto.server import ThreadedMotoServer

server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
server.start()
print(server.get_host_and_port()[1], flush=True)
sys.stdin.read()
os._exit(0)
