"""Klondike: columns built down in alternating colours, a stock dealt one or three cards at a time, all cards known."""
