/**
 * The counters and latencies of a server in a Micrometer registry, for Prometheus and others.
 */
package io.millrace.micrometer;
