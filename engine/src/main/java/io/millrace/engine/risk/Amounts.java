package io.millrace.engine.risk;

/**
 * Sums and products of numbers that are not negative. A result that exceeds a long is {@link #OVERFLOW}, and so is
 * every further sum or product of it. The methods throw no exception, because it would have to be allocated. Stateless.
 */
final class Amounts
{
    static final long OVERFLOW = -1;

    private Amounts()
    {
    }

    static long times(final long a, final long b)
    {
        final long product = a * b;
        return ((a | b | product) >>> Long.SIZE - 1 | Math.multiplyHigh(a, b)) != 0 ? OVERFLOW : product;
    }

    static long plus(final long a, final long b)
    {
        final long sum = a + b;
        return (a | b | sum) < 0 ? OVERFLOW : sum;
    }
}
