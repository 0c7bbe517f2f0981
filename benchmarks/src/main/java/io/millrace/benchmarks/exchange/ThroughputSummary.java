package io.millrace.benchmarks.exchange;

import io.millrace.benchmarks.harness.Round;
import io.millrace.benchmarks.harness.Series;

/**
 * The rounds of one exchange in one set-up, flat out.
 *
 * @param setup  the set-up.
 * @param name   of the exchange.
 * @param series its rounds, and which of them count.
 */
record ThroughputSummary(ExchangeSetup setup, String name, Series<Round> series)
{
}
