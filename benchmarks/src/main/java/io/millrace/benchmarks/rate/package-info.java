/**
 * The parts of the message-rate report: a parent process that asks, contenders in child processes that answer.
 * <pre>
 *  Report -&gt; ReportInput (commands, and what a book must do with them)
 *         -&gt; RateReport (parent) --stdin/stdout--&gt; child: matching|server|raw|loop|host
 *              |                                    Sender -&gt; path under test -&gt; MessageMeter
 *              +-&gt; Verdict, RateSummary, RateSearch -&gt; ReportTable, ReportFiles, LatencyPlot
 * </pre>
 */
package io.millrace.benchmarks.rate;
