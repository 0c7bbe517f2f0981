/**
 * Shared by all reports: options, child processes, interleaved rounds, readings of threads and host, which rounds
 * count, the header of a run, tables, pictures and files.
 */
package io.millrace.benchmarks.harness;
