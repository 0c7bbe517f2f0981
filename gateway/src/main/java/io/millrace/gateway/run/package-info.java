/**
 * The gateway as a program: command line, wiring, final report.
 */
package io.millrace.gateway.run;
