/**
 * The race: our pipelines, and the server around them, beside the best known ways from thread to thread. Each
 * contender runs in a JVM of its own, interleaved with the others, two busy threads and no third.
 * <p>
 * {@link io.millrace.benchmarks.race.RaceReport} is the parent, {@link io.millrace.benchmarks.race.RaceChild} the
 * child; {@link io.millrace.benchmarks.race.Comparison} says who runs in what.
 */
package io.millrace.benchmarks.race;
