/**
 * What {@code mvn -q compile exec:exec} runs: the reports.
 */
package io.millrace.benchmarks;
