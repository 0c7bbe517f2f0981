package io.millrace.benchmarks.race;

/**
 * Asks on one contender and consumes the answers of the other one, on one thread.
 */
record PingProducer(PingCheck ping, RacePlan plan) implements Producer
{
    /** Untimed trips at the beginning: two laps of either ring. */
    private static final int LEAD_IN = 8_192;

    @Override
    public void leadIn() throws Exception
    {
        ping.goUntimed(LEAD_IN);
    }

    @Override
    public long timed() throws Exception
    {
        final long startNs = System.nanoTime();
        ping.goUntil(startNs + plan.roundNs());
        return System.nanoTime() - startNs;
    }

    @Override
    public long events()
    {
        return ping.trips() - LEAD_IN;
    }

    @Override
    public long published()
    {
        return ping.trips();
    }
}
