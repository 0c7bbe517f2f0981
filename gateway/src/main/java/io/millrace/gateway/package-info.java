/**
 * The market-data gateway: sources that take events into the process, and sinks that carry them out.
 */
package io.millrace.gateway;
