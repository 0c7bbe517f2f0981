package io.millrace.journal;

/** Fault counts: the default build carries a tenth, the profile {@code faults} all. */
final class Scale
{
    private Scale()
    {
    }

    /** Every how many cases one is run in the default build. */
    static final int DEFAULT_STEP = 10;
}
