/**
 * Order entry over TCP, beside a bare echo.
 */
package io.millrace.benchmarks.entry;
