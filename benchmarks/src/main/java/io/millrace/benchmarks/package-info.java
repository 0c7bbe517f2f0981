/**
 * The reports, which {@code mvn -q compile exec:exec} runs.
 */
package io.millrace.benchmarks;
