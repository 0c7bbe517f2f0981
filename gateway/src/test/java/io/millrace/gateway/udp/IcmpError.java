package io.millrace.gateway.udp;

import io.millrace.gateway.SystemCommand;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** The error that a machine or firewall answers to a packet of a socket, on loopback. Needs python3 and root. */
public final class IcmpError
{
    private static final String OPEN =
        "import socket, struct, sys\ns = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)\n";
    /** The kernel finds the socket by the ports of the quoted packet. */
    private static final String SEND = OPEN + """
        code, local, remote = map(int, sys.argv[1:])
        here = socket.inet_aton('127.0.0.1')
        quoted = struct.pack('!BBHHHBBH4s4sHHHH', 0x45, 0, 28, 0, 0, 64, 17, 0, here, here, local, remote, 8, 0)
        sum = sum(struct.unpack('!14H', quoted)) + 0x0300 + code
        sum = (sum & 0xFFFF) + (sum >> 16)
        sum = (sum & 0xFFFF) + (sum >> 16)
        s.sendto(struct.pack('!BBHI', 3, code, ~sum & 0xFFFF, 0) + quoted, ('127.0.0.1', 0))
        """;

    private IcmpError()
    {
    }

    public static boolean canSend()
    {
        try
        {
            SystemCommand.run("python3", "-c", OPEN);
            return true;
        }
        catch (final IOException ex)
        {
            // No python3, or not allowed.
            return false;
        }
    }

    /** @param code 3: port unreachable, 13: forbidden. */
    public static void send(final int code, final int localPort, final int remotePort) throws IOException
    {
        // Not by SystemCommand, whose limit is two seconds.
        final Process python = new ProcessBuilder("python3", "-c", SEND, Integer.toString(code),
            Integer.toString(localPort), Integer.toString(remotePort)).inheritIO().start();
        try
        {
            if (!python.waitFor(1, TimeUnit.MINUTES) || python.exitValue() != 0)
            {
                throw new IOException("python3 sent no ICMP message");
            }
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw new IOException(ex);
        }
        finally
        {
            python.destroyForcibly();
        }
    }
}
