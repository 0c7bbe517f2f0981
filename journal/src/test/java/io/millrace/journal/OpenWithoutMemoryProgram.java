package io.millrace.journal;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Opens a journal with direct memory, without, and with it again. Argument: directory. */
final class OpenWithoutMemoryProgram
{
    private OpenWithoutMemoryProgram()
    {
    }

    public static void main(final String[] arguments)
    {
        final Path directory = Path.of(arguments[0]);
        // This opening also takes the direct memory that the JDK keeps for the thread.
        System.out.println(open(directory));
        final List<ByteBuffer> hoard = new ArrayList<>();
        try
        {
            while (true)
            {
                hoard.add(ByteBuffer.allocateDirect(256));
            }
        }
        catch (final OutOfMemoryError full)
        {
            System.out.println(open(directory));
        }
        hoard.clear();
        System.out.println(open(directory));
    }

    private static String open(final Path directory)
    {
        try
        {
            Journal.open(Journals.context(directory)).close();
            return "opened";
        }
        catch (final OutOfMemoryError ex)
        {
            return "no memory";
        }
    }
}
