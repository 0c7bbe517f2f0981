/**
 * The exchange as a program: settings, file, command line.
 */
package io.millrace.exchange.run;
