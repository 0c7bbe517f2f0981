package io.millrace.server;

/** Throws a checked exception that the compiler would not allow. */
final class Sneaky
{
    private Sneaky()
    {
    }

    static void raise(final Throwable thrown)
    {
        Sneaky.<RuntimeException>raiseAs(thrown);
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void raiseAs(final Throwable thrown) throws T
    {
        throw (T)thrown;
    }
}
