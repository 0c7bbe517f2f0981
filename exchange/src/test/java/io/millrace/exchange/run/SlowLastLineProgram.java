package io.millrace.exchange.run;

import java.io.PrintStream;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** An exchange that a signal ends while its output is slow. */
final class SlowLastLineProgram
{
    private SlowLastLineProgram()
    {
    }

    /** @param args settings of the exchange. */
    public static void main(final String[] args)
    {
        final PrintStream slow = new PrintStream(System.out, true)
        {
            @Override
            public void println(final String line)
            {
                if (line.equals("exchange: ended"))
                {
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(500));
                }
                super.println(line);
            }
        };
        // The same hooks run as at a signal.
        ExchangeMain.run(exchange -> new Thread(() -> System.exit(7)).start(), slow, System.err,
            "--config", args[0]);
    }
}
