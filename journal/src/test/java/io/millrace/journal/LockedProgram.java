package io.millrace.journal;

import java.nio.file.Path;

/** Tries to open a journal that another process has, and prints each refusal. Arguments: directory, number of tries. */
final class LockedProgram
{
    private LockedProgram()
    {
    }

    public static void main(final String[] arguments)
    {
        for (int i = 0; i < Integer.parseInt(arguments[1]); i++)
        {
            try
            {
                Journal.open(Journals.context(Path.of(arguments[0]))).close();
                System.out.println("opened");
            }
            catch (final JournalException ex)
            {
                System.out.println(ex.kind() + " " + ex.getMessage());
            }
        }
    }
}
