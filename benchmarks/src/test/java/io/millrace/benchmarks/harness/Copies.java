package io.millrace.benchmarks.harness;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.UncheckedIOException;

/**
 * The copy that arrives in the parent when a child answers.
 */
public final class Copies
{
    private Copies()
    {
    }

    /**
     * Serialize and read again.
     *
     * @param sent an answer.
     * @param <T>  kind of answer.
     * @return a copy.
     */
    @SuppressWarnings("unchecked")
    public static <T> T of(final T sent)
    {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes))
        {
            out.writeObject(sent);
            out.flush();
            return (T)new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        catch (final ClassNotFoundException ex)
        {
            throw new IllegalStateException(ex);
        }
    }
}
