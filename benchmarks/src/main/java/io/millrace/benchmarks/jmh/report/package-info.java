/**
 * Runs the JMH benchmarks in interleaved rounds and reports them, see {@link io.millrace.benchmarks.Report}.
 */
package io.millrace.benchmarks.jmh.report;
