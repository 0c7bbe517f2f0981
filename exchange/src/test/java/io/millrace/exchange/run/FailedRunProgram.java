package io.millrace.exchange.run;

/** A program that goes on after a run that has failed. */
final class FailedRunProgram
{
    private FailedRunProgram()
    {
    }

    /** @param args directory of the exchange. The exit code is 7 when only this program decides it. */
    public static void main(final String[] args)
    {
        final int code = ExchangeMain.run(exchange ->
        {
            throw new IllegalStateException("planted");
        }, System.out, System.err, "--directory", args[0], "--port", "0");
        System.exit(code == 1 ? 7 : code);
    }
}
