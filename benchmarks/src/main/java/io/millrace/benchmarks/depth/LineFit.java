package io.millrace.benchmarks.depth;

/**
 * The straight line through points that misses them least, by least squares. Immutable; any thread.
 *
 * @param start its height at 0.
 * @param slope by how much it rises with each 1 to the right.
 */
record LineFit(double start, double slope)
{
    /** Not a number for fewer than two points, or when all lie above each other. */
    static LineFit of(final double[] xs, final double[] ys)
    {
        double x = 0;
        double y = 0;
        for (int i = 0; i < xs.length; i++)
        {
            x += xs[i] / xs.length;
            y += ys[i] / xs.length;
        }
        double xx = 0;
        double xy = 0;
        for (int i = 0; i < xs.length; i++)
        {
            xx += (xs[i] - x) * (xs[i] - x);
            xy += (xs[i] - x) * (ys[i] - y);
        }
        final double slope = xx == 0 ? Double.NaN : xy / xx;
        return new LineFit(y - slope * x, slope);
    }

    double at(final double x)
    {
        return start + slope * x;
    }
}
