package io.millrace.exchange.fix;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

import static org.junit.jupiter.api.Assertions.assertTrue;

/** FIX messages without a library: only the frame is right. */
public final class RawFix
{
    private RawFix()
    {
    }

    /** The body with BeginString, BodyLength and CheckSum. */
    public static String message(final String body)
    {
        final String text = "8=FIX.4.4\0019=" + body.length() + "\001" + body;
        return text + String.format(Locale.ROOT, "10=%03d\001", text.chars().sum() & 0xFF);
    }

    static void write(final Socket socket, final String text) throws IOException
    {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** Reads until a text has come. */
    static String read(final Socket socket, final String end) throws IOException
    {
        final StringBuilder text = new StringBuilder();
        while (text.indexOf(end) < 0)
        {
            final int next = socket.getInputStream().read();
            assertTrue(next >= 0, () -> "ended after " + text);
            text.append((char)next);
        }
        return text.toString();
    }
}
