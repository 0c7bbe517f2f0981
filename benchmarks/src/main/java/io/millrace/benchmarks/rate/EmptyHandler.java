package io.millrace.benchmarks.rate;

/**
 * Does nothing: what is left is the way to it.
 */
final class EmptyHandler implements RateHandler
{
    @Override
    public void onMessage(final RateMessage message)
    {
    }
}
