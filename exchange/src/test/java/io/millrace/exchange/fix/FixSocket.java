package io.millrace.exchange.fix;

import io.millrace.exchange.Exchange;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import static io.millrace.exchange.fix.RawFix.message;
import static io.millrace.exchange.fix.RawFix.read;
import static io.millrace.exchange.fix.RawFix.write;

/** A client of FIX that counts its messages; | is the end of a field. */
final class FixSocket implements AutoCloseable
{
    final Socket socket;
    private final String name;
    private int sent;

    /** Begins with message 1 and ResetSeqNumFlag. */
    FixSocket(final Exchange exchange, final String name, final String more) throws IOException
    {
        this(exchange, name, 0, "141=Y|" + more);
    }

    /** @param more fields of the logon. */
    FixSocket(final Exchange exchange, final String name, final int sent, final String more) throws IOException
    {
        this.name = name;
        this.sent = sent;
        socket = new Socket(InetAddress.getLoopbackAddress(), exchange.port(0));
        socket.setSoTimeout(30_000);
        send("A", "98=0|108=5|554=token-of-" + name.toLowerCase(Locale.ROOT) + "|" + more);
    }

    void send(final String type, final String fields) throws IOException
    {
        sent++;
        final String body = "35=" + type + "|34=" + sent + "|49=" + name + "|56=MILL|" + fields;
        write(socket, message(body.replace('|', '\001')));
    }

    void enter(final int id, final int side, final String quantity, final String price) throws IOException
    {
        send("D", "11=" + id + "|55=GOLD|54=" + side + "|38=" + quantity + "|40=2|44=" + price + "|59=0|");
    }

    /** The type of the next message, and those of these fields that it has. */
    String next(final int... tags) throws IOException
    {
        final String text = read(socket, "\00110=") + read(socket, "\001");
        final StringBuilder found = new StringBuilder(field(text, 35).substring(3));
        for (final int tag : tags)
        {
            found.append(field(text, tag).isEmpty() ? "" : " " + field(text, tag));
        }
        return found.toString();
    }

    /** The next messages; the list can be changed. */
    List<String> nextAll(final int count, final int... tags) throws IOException
    {
        final List<String> all = new ArrayList<>();
        for (int i = 0; i < count; i++)
        {
            all.add(next(tags));
        }
        return all;
    }

    private static String field(final String text, final int tag)
    {
        final int at = text.indexOf("\001" + tag + "=");
        return at < 0 ? "" : text.substring(at + 1, text.indexOf('\001', at + 1));
    }

    @Override
    public void close() throws IOException
    {
        socket.close();
    }
}
