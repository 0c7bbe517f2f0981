package io.millrace.server;

/** Throws what the compiler would not let through. */
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
