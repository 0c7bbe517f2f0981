/**
 * Runs the JMH benchmarks in interleaved rounds and reports them, see {@link io.millrace.benchmarks.JmhReport}.
 */
package io.millrace.benchmarks.jmh.report;
