package io.millrace.server;

/** Reports a failure whose text does not fit into the heap twice. */
final class ReportWithoutMemoryProgram
{
    private ReportWithoutMemoryProgram()
    {
    }

    /** @param args none. */
    public static void main(final String[] args)
    {
        final String text = "x".repeat((int)(Runtime.getRuntime().maxMemory() / 2));
        new Failures("s", error -> System.out.println(error.getMessage()), null).report(text, null);
        new Failures("s", error -> System.out.println(error.getMessage()), null)
            .report(text, new IllegalArgumentException("planted"));
    }
}
