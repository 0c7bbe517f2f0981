/**
 * The pipeline race: our pipelines, and the server around them, compared with the best known ways from thread to
 * thread. Each contender runs in its own JVM. Their rounds are interleaved, with two busy threads and no third.
 * <p>
 * {@link io.millrace.benchmarks.race.RaceReport} is the parent, {@link io.millrace.benchmarks.race.RaceRunner} runs in
 * the child; {@link io.millrace.benchmarks.race.Comparison} lists the contenders of each comparison.
 */
package io.millrace.benchmarks.race;
