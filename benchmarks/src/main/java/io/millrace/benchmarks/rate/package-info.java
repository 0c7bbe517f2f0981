/**
 * The parts of the message-rate report: a parent process that asks, contenders in child processes that answer.
 * <pre>
 *  MessageRateReport -&gt; RateReport (parent) --stdin/stdout--&gt; ContenderProcess: server | raw | host
 *                         |                                    OpenLoopSource -&gt; path under test -&gt; MessageMeter
 *                         +-&gt; Validity, RateSummary -&gt; ReportTable, ReportFiles, LatencyPlot
 * </pre>
 */
package io.millrace.benchmarks.rate;
