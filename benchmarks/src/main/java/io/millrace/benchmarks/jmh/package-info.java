/**
 * The JMH benchmarks. Each compares contenders of one job in one shape: the contender is a JMH parameter, so every
 * one of them runs in its own JVM and its loop sees no other contender's classes.
 * <table border="1">
 * <caption>Which class answers which question</caption>
 * <tr><th>class</th><th>question</th></tr>
 * <tr><td>{@link io.millrace.benchmarks.jmh.PoolCycle}</td>
 * <td>what does borrowing and giving back cost on one thread?</td></tr>
 * <tr><td>{@link io.millrace.benchmarks.jmh.EventLayout}</td>
 * <td>how large may an event be, and does padding help?</td></tr>
 * <tr><td>{@link io.millrace.benchmarks.jmh.OneThreadPath}</td><td>what does the whole path of an event cost in
 * instructions?</td></tr>
 * <tr><td>{@link io.millrace.benchmarks.jmh.book.CommandPath}</td><td>what does a command cost from the source to the
 * reader of its executions, compared with the least that does the same?</td></tr>
 * <tr><td>{@link io.millrace.benchmarks.jmh.PipelineThroughput}</td>
 * <td>how many events pass from one thread to another?</td></tr>
 * <tr><td>{@link io.millrace.benchmarks.jmh.PoolQueue}</td>
 * <td>what does a pool cost whose events come back from another thread?</td></tr>
 * <tr><td>{@link io.millrace.benchmarks.jmh.Spsc}</td><td>one million longs and orders between two threads</td></tr>
 * <tr><td>{@link io.millrace.benchmarks.jmh.SpscPushPop}</td><td>push one, pop one, on one thread</td></tr>
 * </table>
 * Each benchmark checks its own answer (order, number and sum of the events, pool balance) and fails when it is wrong.
 * {@code mvn -q compile exec:exec -Preport-jmh} runs them all.
 */
package io.millrace.benchmarks.jmh;
