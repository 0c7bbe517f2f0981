package io.millrace.gateway.run;

/** A program that goes on after a run that has failed. */
final class FailedRunProgram
{
    private FailedRunProgram()
    {
    }

    /** @param args options. The exit code is 7 when only this program decides it. */
    public static void main(final String[] args)
    {
        final int code = GatewayMain.run(null, gateway ->
        {
            throw new IllegalStateException("planted");
        }, System.out, System.err, args);
        System.exit(code == 1 ? 7 : code);
    }
}
