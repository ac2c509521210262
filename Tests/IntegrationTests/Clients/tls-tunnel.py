"""Accepts plain connections on a port of 127.0.0.1, which it prints, and passes them on to a port with TLS.

python3 tls-tunnel.py PORT
"""

import asyncio
import ssl
import sys


async def pump(reader, writer):
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    except (OSError, ssl.SSLError):
        pass
    writer.close()


async def serve(reader, writer):
    # Other tests compare the fingerprint.
    context = ssl._create_unverified_context()
    context.set_alpn_protocols(["http/1.1"])
    try:
        there = await asyncio.open_connection("127.0.0.1", int(sys.argv[1]), ssl=context)
    except (OSError, ssl.SSLError):
        writer.close()
        return
    await asyncio.gather(pump(reader, there[1]), pump(there[0], writer))


async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", 0, backlog=256)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


asyncio.run(main())
