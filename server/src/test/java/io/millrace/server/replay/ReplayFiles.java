package io.millrace.server.replay;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;

/** Files that the tests of the package replay. */
final class ReplayFiles
{
    private ReplayFiles()
    {
    }

    /** Rows of {@code 34200.000000000,0,1}: a time in steps of a microsecond, a number, its square. */
    static String numbered(final int rows)
    {
        final StringBuilder text = new StringBuilder();
        for (int i = 0; i < rows; i++)
        {
            text.append(String.format(Locale.ROOT, "34200.%06d000,%d,%d%n", i, i, (long)i * i));
        }
        return text.toString().replace("\r", "");
    }

    static byte[] plain(final String text)
    {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    static byte[] gzip(final String text)
    {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(bytes))
        {
            out.write(plain(text));
        }
        catch (final IOException ex)
        {
            throw new AssertionError(ex);
        }
        return bytes.toByteArray();
    }
}
